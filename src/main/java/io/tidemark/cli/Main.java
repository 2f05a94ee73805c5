package io.tidemark.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;

/** Starts the program: hands the arguments to a command and ends with its exit status. */
@Command(
    name = "tidemark",
    description = "Collects the garbage of large content-addressed chunk stores.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    subcommands = {GcCommand.class, PlanCommand.class, LogCommand.class, DemoCommand.class},
    synopsisSubcommandLabel = "COMMAND")
public final class Main implements Runnable {
  @CommandLine.Spec
  private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

  private Main() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name a command: gc, plan, log or demo");
  }

  public static void main(String[] arguments) {
    System.exit(execute(arguments));
  }

  /** Runs a command line and returns its exit status. */
  static int execute(String... arguments) {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Main::wrongUsage)
        .execute(arguments);
  }

  private static int wrongUsage(ParameterException e, String[] arguments) {
    PrintWriter err = e.getCommandLine().getErr();
    err.println(
        "tidemark: "
            + String.valueOf(e.getMessage()).replace('\n', ' ')
            + "; nothing was done; see "
            + e.getCommandLine().getCommandSpec().qualifiedName()
            + " --help");
    err.flush();
    return ExitStatus.USAGE;
  }

  /** Tells the version that the jar was built as. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"tidemark " + (version == null ? "(not packaged)" : version)};
    }
  }
}
