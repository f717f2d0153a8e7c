import edu.mit.csail.sdg.alloy4.A4Reporter;
import edu.mit.csail.sdg.ast.Command;
import edu.mit.csail.sdg.parser.CompUtil;
import edu.mit.csail.sdg.translator.A4Options;
import edu.mit.csail.sdg.translator.TranslateAlloyToKodkod;

/** Says for each command of some models whether the Analyzer finds an instance. Overflow is prevented where the name of a file says so. */
public final class Analyzer {
    public static void main(String[] files) {
        for (String file : files) {
            try {
                var model = CompUtil.parseEverything_fromFile(A4Reporter.NOP, null, file);
                int number = 0;
                for (Command command : model.getAllCommands()) {
                    number++;
                    System.out.println(file + "\t" + number + "\t" + answer(model, command, file));
                }
            } catch (Throwable error) {
                System.out.println(file + "\t0\tERROR " + line(error));
            }
        }
    }

    private static String answer(edu.mit.csail.sdg.parser.CompModule model, Command command, String file) {
        var options = new A4Options();
        options.solver = A4Options.SatSolver.SAT4J;
        options.skolemDepth = 1;
        options.noOverflow = file.contains("forbid");
        try {
            var sigs = model.getAllReachableSigs();
            var found = TranslateAlloyToKodkod.execute_command(A4Reporter.NOP, sigs, command, options);
            return found.satisfiable() ? "SAT" : "UNSAT";
        } catch (Throwable error) {
            return "ERROR " + line(error);
        }
    }

    private static String line(Throwable error) {
        return String.valueOf(error.getMessage()).replaceAll("\\s+", " ");
    }
}
