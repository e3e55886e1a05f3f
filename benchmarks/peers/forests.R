# One forest of R on one training and one test file, timed in CPU seconds of the R process.
#
#   Rscript forests.R <package> <train.csv> <test.csv> <trees> <mtry> <bootstrap 0/1> <splitrule> <repeats> <seed>
#
# package is randomForest or ranger. Columns named n... are numbers, f<j>_<L> factors with levels 0..L-1; the
# last column is the class. Prints fit, predict, error, then the predicted classes in one line.

argument <- commandArgs(trailingOnly = TRUE)
package <- argument[1]
trees <- as.integer(argument[4])
mtry <- as.integer(argument[5])
bootstrap <- argument[6] == "1"
rule <- argument[7]
repeats <- as.integer(argument[8])
set.seed(as.integer(argument[9]))
suppressPackageStartupMessages(library(package, character.only = TRUE))

read <- function(path) {
  data <- read.csv(path)
  for (name in grep("^[fy]", names(data), value = TRUE)) {
    levels <- as.integer(sub(".*_", "", name))
    data[[name]] <- factor(data[[name]], levels = seq_len(levels) - 1)
  }
  data
}

train <- read(argument[2])
test <- read(argument[3])
last <- ncol(train)
y <- droplevels(train[[last]])

grow <- function() {
  if (package == "randomForest") {
    randomForest(train[-last], y, ntree = trees, mtry = mtry, replace = bootstrap, sampsize = nrow(train),
                 nodesize = 1)
  } else {
    ranger(x = train[-last], y = y, num.trees = trees, mtry = mtry, replace = bootstrap, sample.fraction = 1,
           splitrule = rule, min.node.size = 1, num.threads = 1, oob.error = FALSE, seed = as.integer(argument[9]),
           verbose = FALSE)
  }
}

answer <- function(model) {
  if (package == "randomForest") predict(model, test[-last])
  else predict(model, test[-last], num.threads = 1)$predictions
}

cpu <- function(expression) {
  start <- proc.time()
  value <- force(expression)
  spent <- proc.time() - start
  list(value = value, seconds = spent[["user.self"]] + spent[["sys.self"]])
}

fit <- predict_ <- Inf
begun <- proc.time()[["elapsed"]]
for (round in seq_len(repeats)) {
  if (round > 1 && proc.time()[["elapsed"]] - begun > 3) break
  grown <- cpu(grow())
  answered <- cpu(answer(grown$value))
  fit <- min(fit, grown$seconds)
  predict_ <- min(predict_, answered$seconds)
}
classes <- as.character(answered$value)
cat("fit", fit, "\npredict", predict_, "\nerror", mean(classes != as.character(test[[last]])), "\n")
cat(classes, "\n")
