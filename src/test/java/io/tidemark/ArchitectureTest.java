package io.tidemark;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;

/** Keeps the dependencies between packages running one way, down to {@code posix}. */
@AnalyzeClasses(packages = "io.tidemark", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {

  private static final String CLI = "io.tidemark.cli..";
  private static final String HTML = "io.tidemark.html..";
  private static final String COLLECT = "io.tidemark.collect..";
  private static final String[] STAGES = {
    "io.tidemark.index..",
    "io.tidemark.batch..",
    "io.tidemark.warm..",
    "io.tidemark.flush..",
    "io.tidemark.guard..",
    "io.tidemark.sweep..",
    "io.tidemark.journal..",
    "io.tidemark.plan.."
  };
  private static final String[] GROUND = {
    "io.tidemark.store..",
    "io.tidemark.digest..",
    "io.tidemark.log..",
    "io.tidemark.report..",
    "io.tidemark.work.."
  };
  private static final String POSIX = "io.tidemark.posix..";

  @ArchTest
  static final ArchRule layers_dependOnlyDownward =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .withOptionalLayers(true)
          .layer("cli")
          .definedBy(CLI)
          .layer("html")
          .definedBy(HTML)
          .layer("collect")
          .definedBy(COLLECT)
          .layer("stages")
          .definedBy(STAGES)
          .layer("ground")
          .definedBy(GROUND)
          .layer("posix")
          .definedBy(POSIX)
          .whereLayer("cli")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("html")
          .mayOnlyBeAccessedByLayers("cli")
          .whereLayer("collect")
          .mayOnlyBeAccessedByLayers("cli", "html")
          .whereLayer("stages")
          .mayOnlyBeAccessedByLayers("cli", "html", "collect")
          .whereLayer("ground")
          .mayOnlyBeAccessedByLayers("cli", "html", "collect", "stages")
          .whereLayer("posix")
          .mayOnlyBeAccessedByLayers("cli", "html", "collect", "stages", "ground")
          .ensureAllClassesAreContainedInArchitecture();

  @ArchTest
  static final ArchRule packages_dependInNoCircle =
      slices().matching("io.tidemark.(*)..").should().beFreeOfCycles().allowEmptyShould(true);

  @ArchTest
  static final ArchRule foreignMemory_staysInPosix =
      noClasses()
          .that()
          .resideOutsideOfPackage(POSIX)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("java.lang.foreign..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule commandLine_staysInCli =
      noClasses()
          .that()
          .resideOutsideOfPackage(CLI)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("picocli..")
          .orShould()
          .callMethod(System.class, "exit", int.class)
          .orShould()
          .callMethod(Runtime.class, "exit", int.class)
          .orShould()
          .callMethod(Runtime.class, "halt", int.class)
          .allowEmptyShould(true);

  @ArchTest
  static void stages_doNotImportEachOther(JavaClasses classes) {
    for (var stage : STAGES) {
      noClasses()
          .that()
          .resideInAPackage(stage)
          .should()
          .dependOnClassesThat(resideInAnyPackage(othersThan(stage)).and(not(directoryRun())))
          .allowEmptyShould(true)
          .check(classes);
    }
  }

  private static String[] othersThan(String stage) {
    return Arrays.stream(STAGES).filter(other -> !other.equals(stage)).toArray(String[]::new);
  }

  /** A run of digests in one directory is what one stage hands to the next. */
  private static DescribedPredicate<JavaClass> directoryRun() {
    return describe(
        "batch's DirectoryRun",
        type ->
            type.getName().equals("io.tidemark.batch.DirectoryRun")
                || type.getName().startsWith("io.tidemark.batch.DirectoryRun$"));
  }
}
