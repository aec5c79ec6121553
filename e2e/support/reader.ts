/**
 * Who goes a core journey. The journeys say what a reader does and sees, and the same text runs in every engine: through
 * Playwright where it speaks with the engine, else through the engine's own W3C WebDriver.
 */
export type Reader = {
  open(path: string): Promise<void>
  back(): Promise<void>
  /** The size of the window's inside, in px. */
  resize(width: number, height: number): Promise<void>

  /** Each of these waits until there is such a part, and fails where none comes. */
  click(part: Part): Promise<void>
  /** Puts `text` in the place of what a field holds. */
  fill(part: Part, text: string): Promise<void>
  /** Picks the option of a `select` that reads `label`. */
  choose(part: Part, label: string): Promise<void>
  /** `Enter`, `ArrowDown`, `a`, `Control+k`. */
  press(key: string): Promise<void>

  /** Waits until the part is seen, and holds `text` where one is given. */
  sees(part: Part, text?: Wanted): Promise<void>
  seesNone(part: Part): Promise<void>
  seesFocusOn(part: Part): Promise<void>
  /** Waits until the address, without its origin, is so. */
  seesAddress(wanted: Wanted): Promise<void>
  textOf(part: Part): Promise<string>
  /** Where a link leads: path and query. */
  targetOf(part: Part): Promise<string>

  /** Runs a function in the page; what it takes and gives is JSON. */
  run<Taken, Given>(script: (taken: Taken) => Given | Promise<Given>, taken: Taken): Promise<Given>
  picture(): Promise<Buffer>
}

/** What is seen of a page, by its role and its accessible name: a text is the whole name. */
export type Part = {
  role: Role
  name?: Wanted
  /** The part that it stands in. */
  inside?: Part
  /** Which of several, from 0; the first where none is given. */
  place?: number
}

export type Wanted = string | RegExp

export type Role =
  | 'button'
  | 'cell'
  | 'checkbox'
  | 'columnheader'
  | 'combobox'
  | 'complementary'
  | 'dialog'
  | 'figure'
  | 'heading'
  | 'link'
  | 'main'
  | 'navigation'
  | 'option'
  | 'region'
  | 'row'
  | 'table'
  | 'textbox'

/** A text is looked for as it stands, anywhere in what is seen. */
export const holds = (seen: string, wanted: Wanted): boolean =>
  typeof wanted === 'string' ? seen.includes(wanted) : wanted.test(seen)

export const toWords = ({ role, name, inside, place }: Part): string =>
  [role, name ?? '', place ?? '', inside ? `in ${toWords(inside)}` : ''].filter(String).join(' ')

/** Where and when every reader is, whatever the machine. */
export const READER = {
  locale: 'en-US',
  timezoneId: 'Europe/Berlin',
  width: 1440,
  height: 900,
} as const

/** Longer than other journeys wait: an engine that draws without a graphics card, on a machine that is shared. */
export const WITHIN_MS = 30_000
