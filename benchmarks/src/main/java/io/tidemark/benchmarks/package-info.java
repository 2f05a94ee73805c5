/**
 * Benchmarks of the engine's parts, each of which answers one question.
 *
 * <p>They use the engine as another program would, from its jar and by its public classes. {@code
 * benchmarks/jmh NAME} builds and runs one; the same by hand, on a JDK 25:
 *
 * <pre>
 * mvn -q install -DskipTests
 * mvn -q -f benchmarks package
 * java -jar benchmarks/target/benchmarks.jar NAME -rf json -rff NAME.json
 * benchmarks/tables NAME.json
 * </pre>
 *
 * <p>Files are made in the directory that the system property {@code bench.dir} names, else in that
 * for temporary files.
 */
package io.tidemark.benchmarks;
