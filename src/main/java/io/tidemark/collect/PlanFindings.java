package io.tidemark.collect;

import io.tidemark.plan.Ages;
import io.tidemark.plan.Basis;
import io.tidemark.plan.Estimate;
import io.tidemark.plan.Measure;
import io.tidemark.plan.Rates;
import java.util.Map;
import java.util.OptionalLong;

/** What one way of looking at a store has found; see {@link PlanReport}. */
record PlanFindings(
    Basis basis,
    PlanReport.Looked looked,
    Map<Measure, Estimate> estimates,
    Ages pending,
    OptionalLong missing,
    Rates rates) {}
