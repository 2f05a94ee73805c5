package io.tidemark.benchmarks.plot;

import java.math.BigDecimal;
import java.math.MathContext;
import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;

/** Writes a number with two significant digits and no exponent. */
final class Decimal extends NumberFormat {
  private static final long serialVersionUID = 1;

  @Override
  public StringBuffer format(double number, StringBuffer into, FieldPosition position) {
    BigDecimal rounded = new BigDecimal(number).round(new MathContext(2)).stripTrailingZeros();
    return into.append(rounded.toPlainString());
  }

  @Override
  public StringBuffer format(long number, StringBuffer into, FieldPosition position) {
    return into.append(number);
  }

  @Override
  public Number parse(String text, ParsePosition position) {
    throw new UnsupportedOperationException("only writes numbers");
  }
}
