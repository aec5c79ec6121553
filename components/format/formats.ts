import { formatBytes } from './bytes.ts'
import { formatConsensus } from './consensus.ts'
import { formatCount } from './count.ts'
import { fromFieldDecimal, toFieldDecimal } from './field-decimal.ts'
import { ENGLISH, type NumberMarks } from './number-marks.ts'
import { formatMeanPrediction, formatPrediction } from './prediction.ts'

/** How numbers are written for one reader: each as the function of that name, in the marks of his language. */
export const createFormats = (marks: NumberMarks) => ({
  formatBytes: (bytes: number) => formatBytes(bytes, marks),
  formatConsensus: (consensus: string | null) => formatConsensus(consensus, marks),
  formatCount: (count: number) => formatCount(count, marks),
  /** A count with its noun: `1 rating`, `2,911 ratings`. The plural takes an s unless it is given. */
  formatCounted: (count: number, one: string, many = `${one}s`) =>
    `${formatCount(count, marks)} ${count === 1 ? one : many}`,
  formatMeanPrediction: (mean: string | null) => formatMeanPrediction(mean, marks),
  formatPrediction: (prediction: string) => formatPrediction(prediction, marks),
  fromFieldDecimal: (text: string) => fromFieldDecimal(text, marks),
  toFieldDecimal: (decimal: string) => toFieldDecimal(decimal, marks),
  /** A share in whole percent, without a sign: `81%`. */
  formatShare: (percent: number) =>
    marks.percent[0] + formatCount(percent, marks) + marks.percent[1],
})

export type Formats = ReturnType<typeof createFormats>

/** What a text without a reader is written in: tests, and what a machine reads. */
export const ENGLISH_FORMATS = createFormats(ENGLISH)
