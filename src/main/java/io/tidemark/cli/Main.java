package io.tidemark.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the {@code tidemark} command and ends the process with its exit code. */
@Command(
    name = "tidemark",
    description = "Garbage collection for Proxmox Backup Server datastores.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class)
public final class Main implements Runnable {

  @Spec private final CommandSpec spec = CommandSpec.create();

  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }

  /** Reads the version from the manifest of the jar that the class comes from. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      var version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"tidemark " + (version == null ? "(not packaged)" : version)};
    }
  }
}
