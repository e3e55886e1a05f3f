# C5.0 on one training and one test file: errors and kept trees for each number of trials.
#
#   Rscript c50.R <train.csv> <test.csv> <trials> [<trials> ...]
#
# Columns named n... are numbers, f<j>_<L> factors with levels 0..L-1, an empty cell is missing; the last column is the
# class. Prints one line per number of trials: trials, errors, trees kept.

argument <- commandArgs(trailingOnly = TRUE)
suppressPackageStartupMessages(library(C50))

read <- function(path) {
  data <- read.csv(path, na.strings = "")
  for (name in grep("^[fy]", names(data), value = TRUE)) {
    levels <- as.integer(sub(".*_", "", name))
    data[[name]] <- factor(data[[name]], levels = seq_len(levels) - 1)
  }
  data
}

train <- read(argument[1])
test <- read(argument[2])
last <- ncol(train)
for (trials in as.integer(argument[-(1:2)])) {
  model <- C5.0(train[-last], droplevels(train[[last]]), trials = trials)
  wrong <- as.character(predict(model, test[-last])) != as.character(test[[last]])
  cat(trials, sum(wrong), model$trials[["Actual"]], "\n")
}
