import { type Choice, type SpanEnd, toChosenShares } from './span-drag.ts'
import { type SpanModel, type SpanTip, toGrid } from './span-model.ts'

type Shown = { tip: SpanTip; at: number }

/** What is said of a choice that is being made, else of the bar that is pointed at; and where along the track. */
export function toShown(made: Choice | null, bar: number | null, model: SpanModel): Shown | null {
  const choice = made ?? toBarChoice(bar, model)
  if (!choice) return null
  const { begin, end } = toChosenShares(choice, toGrid(model))
  const middle = (begin + end) / 2
  const bars = toBars(choice, model)
  if (bars) return { tip: model.tell(...bars), at: middle }
  if (choice.of === 'bars' || !model.ends) return null
  const text = (which: SpanEnd) => model.ends?.toText(which, choice[which]) ?? ''
  return choice.moved === 'both'
    ? { tip: { title: `${text('begin')} to ${text('end')}` }, at: middle }
    : { tip: { title: text(choice.moved) }, at: choice.moved === 'begin' ? begin : end }
}

const toBarChoice = (bar: number | null, { bars }: SpanModel): Choice | null =>
  bar === null || bar >= bars ? null : { of: 'bars', first: bar, last: bar }

/** The bars that a choice covers, where it ends at the edges of bars. */
function toBars(choice: Choice, { bars, ends }: SpanModel): [first: number, last: number] | null {
  if (choice.of === 'bars') return [choice.first, choice.last]
  return ends?.stops.length === bars + 1 ? [choice.begin, choice.end - 1] : null
}
