// Reads documents as the visualizer of Alloy does, and asks its evaluator about them. The arguments are documents, each
// with the number of its command. Prints for each document a line with its goal, and one for each signature in each state.
// With a model for a document, an instance of the command is written instead, as Alloy does it.

import edu.mit.csail.sdg.alloy4.A4Reporter;
import edu.mit.csail.sdg.alloy4.XMLNode;
import edu.mit.csail.sdg.alloy4viz.StaticInstanceReader;
import edu.mit.csail.sdg.ast.Command;
import edu.mit.csail.sdg.ast.Sig;
import edu.mit.csail.sdg.parser.CompModule;
import edu.mit.csail.sdg.parser.CompUtil;
import edu.mit.csail.sdg.translator.A4Options;
import edu.mit.csail.sdg.translator.A4Solution;
import edu.mit.csail.sdg.translator.A4SolutionReader;
import edu.mit.csail.sdg.translator.A4Tuple;
import edu.mit.csail.sdg.translator.A4TupleSet;
import edu.mit.csail.sdg.translator.TranslateAlloyToKodkod;
import java.io.File;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

public class Visualizer {
    public static void main(String[] args) {
        for (int at = 0; at + 1 < args.length; at += 2) {
            try {
                int command = Integer.parseInt(args[at + 1]);
                if (args[at].endsWith(".als")) {
                    write(args[at], command);
                } else {
                    read(args[at], command);
                }
            } catch (Throwable wrong) {
                print(args[at], "error", wrong.toString().replaceAll("\\s+", " "));
            }
        }
    }

    static void write(String file, int number) throws Exception {
        CompModule model = CompUtil.parseEverything_fromFile(A4Reporter.NOP, null, file);
        Command command = model.getAllCommands().get(number - 1);
        A4Options options = new A4Options();
        options.solver = A4Options.SatSolver.SAT4J;
        options.originalFilename = file;
        A4Solution instance = TranslateAlloyToKodkod.execute_command(
            A4Reporter.NOP, model.getAllReachableSigs(), command, options);
        instance.writeXML(A4Reporter.NOP, file + number + ".xml", model.getAllFunc(), new LinkedHashMap<>());
    }

    static void read(String file, int command) throws Exception {
        XMLNode document = new XMLNode(new File(file));
        Map<String, String> texts = new LinkedHashMap<>();
        String main = null;
        int states = 0;
        for (XMLNode node : document) {
            if (node.is("source")) {
                texts.put(node.getAttribute("filename"), node.getAttribute("content"));
            }
            if (node.is("instance")) {
                main = node.getAttribute("filename");
                StaticInstanceReader.parseInstance(new File(file), states++);
            }
        }
        CompModule model = CompUtil.parseEverything_fromFile(A4Reporter.NOP, texts, main, 1);
        Set<Sig> known = new HashSet<>();
        model.getAllReachableSigs().forEach(known::add);
        A4Solution instance = A4SolutionReader.read(model.getAllReachableSigs(), document);
        Object goal = instance.eval(model.getAllCommands().get(command - 1).formula, 0);
        print(file, "goal", goal.toString());
        for (Sig sig : instance.getAllReachableSigs()) {
            if (sig.builtin) {
                continue;
            }
            if (!known.contains(sig)) {
                print(file, "unknown", sig.label);
            }
            for (int state = 0; state < states; state++) {
                Set<String> atoms = new TreeSet<>();
                for (A4Tuple tuple : (A4TupleSet) instance.eval(sig, state)) {
                    atoms.add(tuple.atom(0));
                }
                print(file, state + " " + sig.label, String.join(" ", atoms));
            }
        }
    }

    static void print(String... parts) {
        System.out.println(String.join("\t", parts));
    }
}
