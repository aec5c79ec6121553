import { type Bars, toSum } from './bars.ts'
import type { ChangeQuery } from './query-change.ts'
import type { SpanModel } from './span-model.ts'

/** Bars as what can be clicked and dragged over. */
export const toBarsModel = ({ bars, chosen, ...span }: Bars, change: ChangeQuery): SpanModel => ({
  bars: bars.length,
  chosen,
  tell: (first, last) => ({
    title: span.toLabel(first, last),
    ...toSum(bars.slice(first, last + 1)),
  }),
  pickBar: (index) => {
    const bar = bars[index]
    if (bar) change(bar.pick)
  },
  pickBars: (first, last) => change((view) => span.pickSpan(view, first, last)),
})
