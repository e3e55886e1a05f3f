// One classifier of Weka on one training and one test file.
//
//   java -cp weka.jar Weka.java predict train.arff test.arff <classifier> [options]
//   java -cp weka.jar Weka.java time    train.arff test.arff <seconds> <classifier> [options]
//   java -cp weka.jar Weka.java print   train.arff test.arff <classifier> [options]
//
// print shows the model as Weka does. predict prints "size <nodes>" (0 if not J48), then one line of class
// probabilities per test case.
// time fits and predicts until <seconds> of CPU time are used up, the first round left out when there are
// more (the virtual machine warms up), and prints the least CPU seconds of the thread: "fit <seconds>",
// "predict <seconds>" and "error <share>".

import java.io.BufferedReader;
import java.io.FileReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import weka.classifiers.Classifier;
import weka.core.Instance;
import weka.core.Instances;

public class Weka {
    static Instances read(String path) throws Exception {
        Instances data = new Instances(new BufferedReader(new FileReader(path)));
        data.setClassIndex(data.numAttributes() - 1);
        return data;
    }

    static Classifier fit(Instances train, String[] args, int from) throws Exception {
        String[] options = Arrays.copyOfRange(args, from + 1, args.length);
        Classifier model = Classifier.forName(args[from], options);
        model.buildClassifier(train);
        return model;
    }

    static void predict(Instances train, Instances test, String[] args) throws Exception {
        Classifier model = fit(train, args, 3);
        boolean tree = model instanceof weka.classifiers.trees.J48;
        System.out.println("size " + (tree ? (int) ((weka.classifiers.trees.J48) model).measureTreeSize() : 0));
        for (int i = 0; i < test.numInstances(); i++) {
            StringBuilder line = new StringBuilder();
            for (double p : model.distributionForInstance(test.instance(i))) line.append(p).append(' ');
            System.out.println(line.toString().trim());
        }
    }

    static void time(Instances train, Instances test, String[] args) throws Exception {
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        double budget = Double.parseDouble(args[3]), used = 0;
        double fit = Double.MAX_VALUE, predict = Double.MAX_VALUE, error = 0;
        for (int round = 0; round == 0 || used < budget; round++) {
            long start = clock.getCurrentThreadCpuTime();
            Classifier model = fit(train, args, 4);
            long fitted = clock.getCurrentThreadCpuTime();
            int wrong = 0;
            for (int i = 0; i < test.numInstances(); i++) {
                Instance row = test.instance(i);
                if (model.classifyInstance(row) != row.classValue()) wrong++;
            }
            long done = clock.getCurrentThreadCpuTime();
            used += (done - start) / 1e9;
            if (round <= 1) fit = predict = Double.MAX_VALUE;
            fit = Math.min(fit, (fitted - start) / 1e9);
            predict = Math.min(predict, (done - fitted) / 1e9);
            error = (double) wrong / test.numInstances();
        }
        System.out.println("fit " + fit);
        System.out.println("predict " + predict);
        System.out.println("error " + error);
    }

    public static void main(String[] args) throws Exception {
        Instances train = read(args[1]), test = read(args[2]);
        switch (args[0]) {
            case "print": System.out.println(fit(train, args, 3)); break;
            case "predict": predict(train, test, args); break;
            default: time(train, test, args);
        }
    }
}
