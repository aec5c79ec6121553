import { type Choice, type SpanEnd, toChosenShares } from './span-drag.ts'
import { type SpanModel, toGrid } from './span-model.ts'
import { paintSpan, writeEnd } from './span-paint.ts'
import type { SpanWatch } from './span-pointer.ts'

type Shown = {
  read: () => SpanModel
  setPointed: (bar: number | null) => void
  setChoice: (choice: Choice | null) => void
}

const ENDS: readonly SpanEnd[] = ['begin', 'end']

/** What pointer and keys do to a track: while they move, it is painted; the model hears of it when they let go. */
export function createWatch(track: HTMLElement, { read, setPointed, setChoice }: Shown): SpanWatch {
  /** As the filter has it. */
  const paintChosen = () => {
    const { chosen, ends } = read()
    paintSpan(track, chosen)
    for (const which of ENDS) writeEnd(track, which, ends?.texts[which])
  }
  return {
    read,
    point: setPointed,
    show: (choice) => {
      setChoice(choice)
      if (!choice) return paintChosen()
      const model = read()
      paintSpan(track, toChosenShares(choice, toGrid(model)))
      if (choice.of === 'bars') return
      for (const which of ENDS) {
        const isMoved = choice.moved === which || choice.moved === 'both'
        if (isMoved) writeEnd(track, which, model.ends?.toText(which, choice[which]))
      }
    },
    choose: (choice) => {
      setChoice(null)
      const model = read()
      if (choice.of === 'bars') model.pickBars(choice.first, choice.last)
      else model.ends?.moveTo(choice)
      // What was chosen may be what was there already: then nothing is drawn that would put it right.
      requestAnimationFrame(paintChosen)
    },
  }
}
