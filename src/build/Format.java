import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * Formats every Java file below the given directories in place, or with {@code --check} names the
 * ones that are not formatted and exits with 1. Directories that do not exist are passed over.
 */
class Format {

  private static final String REMEDY = "to format: mvn -q -Pformat process-sources";

  public static void main(String[] args) throws IOException {
    var check = args.length > 0 && args[0].equals("--check");
    var formatter = new Formatter();
    var faults = 0;
    for (var file : javaFiles(List.of(args).subList(check ? 1 : 0, args.length))) {
      var source = Files.readString(file);
      try {
        var formatted = formatter.formatSourceAndFixImports(source);
        if (formatted.equals(source)) {
          continue;
        }
        if (check) {
          System.err.println(file + ": not formatted");
          faults++;
        } else {
          Files.writeString(file, formatted);
          System.err.println(file + ": formatted");
        }
      } catch (FormatterException e) {
        for (var diagnostic : e.diagnostics()) {
          System.err.println(file + ":" + diagnostic);
        }
        faults++;
      }
    }
    if (faults > 0) {
      System.err.println(REMEDY);
      System.exit(1);
    }
  }

  private static List<Path> javaFiles(List<String> roots) throws IOException {
    var files = new ArrayList<Path>();
    for (var root : roots) {
      if (Files.isDirectory(Path.of(root))) {
        Files.walkFileTree(Path.of(root), new JavaFiles(files));
      }
    }
    files.sort(null);
    return files;
  }

  /** Collects Java files and stays out of build output. */
  private static final class JavaFiles extends SimpleFileVisitor<Path> {
    private final List<Path> files;

    JavaFiles(List<Path> files) {
      this.files = files;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      return directory.endsWith("target") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (file.toString().endsWith(".java")) {
        files.add(file);
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
