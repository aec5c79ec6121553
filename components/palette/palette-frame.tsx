'use client'

import type { FilterProblem } from '#components/filter-text/parse-filter-text.ts'
import { WORDS } from '#components/filter-text/vocabulary.ts'
import { useCommandKey } from './platform.ts'

const HINT = 'Filters, symbols, users, ratings by number, pages.'

type PaletteMessageProps = {
  id: string
  /** The name of the word whose value is written. */
  name: string | null
  problems: readonly FilterProblem[]
  refusal: string
}

/** What is wrong with the text, or what may be typed. Two lines high, whatever it says. */
export function PaletteMessage({ id, name, problems, refusal }: PaletteMessageProps) {
  const [first, ...others] = problems
  const more = others.length === 0 ? '' : ` And ${others.length} more.`
  const text = first ? `${first.message.replace(/([^?])$/, '$1.')}${more}` : refusal
  return (
    <p
      id={id}
      dir="auto"
      title={text || undefined}
      className="line-clamp-2 min-h-[2.75rem] px-3.5 py-1 text-sm break-words data-wrong:text-rating-text-1 sm:min-h-[1.75rem]"
      data-wrong={text === '' ? undefined : true}
    >
      {text || <span className="text-ink-3">{toHint(name)}</span>}
    </p>
  )
}

const WORD_HINTS: Readonly<Record<string, string>> = {
  ...WORDS,
  symbol: 'symbols, separated by commas; -TSLA takes one out; in quotes where a space is in it',
  rating: 'labels or codes; >=4 or 3..5 for several; a minus takes one out',
  prediction: '>10, >=10, <0, 5..12.5 or an exact value; −5 is below zero, -5 takes 5 out',
  created: 'a day, a month or a year; >=2024-05, <2024 or 2024-01..2024-03',
}

const toHint = (name: string | null): string =>
  name !== null && Object.hasOwn(WORD_HINTS, name) ? `${name}: ${WORD_HINTS[name]}` : HINT

/** The keys that matter here, and the way to all others. */
export function PaletteFoot({ onKeys }: { onKeys: () => void }) {
  const command = useCommandKey()
  return (
    <div className="flex items-center gap-x-4 px-3.5 py-1.5 text-sm text-ink-3">
      <Hint keys="Tab" does="completes" />
      <Hint keys="Enter" does="shows" />
      <Hint keys={`${command}Enter`} does="in a new tab" />
      <button
        type="button"
        onClick={onKeys}
        className="ml-auto rounded-sm px-1.5 py-0.5 font-medium text-ink-2 hover:bg-sunk hover:text-ink"
      >
        All keys
      </button>
    </div>
  )
}

const Hint = ({ keys, does }: { keys: string; does: string }) => (
  <span className="max-sm:hidden">
    <kbd className="font-sans font-medium text-ink-2">{keys}</kbd> {does}
  </span>
)
