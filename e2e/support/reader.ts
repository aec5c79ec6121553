export type Reader = {
  open(path: string): Promise<void>
  back(): Promise<void>
  /** Inner size in px. */
  resize(width: number, height: number): Promise<void>

  /** These wait for the part. */
  click(part: Part): Promise<void>
  fill(part: Part, text: string): Promise<void>
  choose(part: Part, label: string): Promise<void>
  /** `Enter`, `ArrowDown`, `a`, `Control+k`. */
  press(key: string): Promise<void>

  sees(part: Part, text?: ExpectedText): Promise<void>
  seesNone(part: Part): Promise<void>
  seesFocusOn(part: Part): Promise<void>
  seesAddress(wanted: ExpectedText): Promise<void>
  textOf(part: Part): Promise<string>
  /** Path and query. */
  targetOf(part: Part): Promise<string>

  /** Argument and result must be JSON. */
  run<Taken, Given>(script: (taken: Taken) => Given | Promise<Given>, taken: Taken): Promise<Given>
  picture(): Promise<Buffer>
}

/** A string matches the whole name. */
export type Part = {
  role: Role
  name?: ExpectedText
  inside?: Part
  /** Index from 0. */
  place?: number
}

export type ExpectedText = string | RegExp

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

export const holds = (seen: string, wanted: ExpectedText): boolean =>
  typeof wanted === 'string' ? seen.includes(wanted) : wanted.test(seen)

export const toWords = ({ role, name, inside, place }: Part): string =>
  [role, name ?? '', place ?? '', inside ? `in ${toWords(inside)}` : ''].filter(String).join(' ')

export const READER = {
  locale: 'en-US',
  timezoneId: 'Europe/Berlin',
  width: 1440,
  height: 900,
} as const

export const WITHIN_MS = 30_000
