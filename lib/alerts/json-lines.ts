/** Where in a JSON document something stands: names of fields and places in lists, from the outermost on. */
export type JsonPath = readonly PropertyKey[]

/**
 * In which line of a JSON text what a path leads to stands, from 1; of something that is missing, the line of what it is missing
 * in. The text has been parsed before: what is no JSON is not looked for.
 */
export function findLine(text: string, path: JsonPath): number {
  const at = findOffset(text, path)
  return text.slice(0, at).split('\n').length
}

const SPACE = new Set([' ', '\t', '\n', '\r'])

type Reader = { text: string; at: number }

function findOffset(text: string, path: JsonPath): number {
  const reader: Reader = { text, at: 0 }
  skipSpace(reader)
  let found = reader.at
  for (const step of path) {
    if (!enter(reader, step)) break
    found = reader.at
  }
  return found
}

/** Goes to the value of a field, or to a place of a list; false where there is none. */
function enter(reader: Reader, step: PropertyKey): boolean {
  const opens = reader.text[reader.at]
  if (opens !== '{' && opens !== '[') return false
  reader.at += 1
  for (let place = 0; ; place += 1) {
    skipSpace(reader)
    if (isAt(reader, '}]')) return false
    let key: PropertyKey = place
    if (opens === '{') {
      key = JSON.parse(readString(reader)) as string
      skipSpace(reader)
      reader.at += 1
      skipSpace(reader)
    }
    if (key === step) return true
    skipValue(reader)
    skipSpace(reader)
    if (!isAt(reader, ',')) return false
    reader.at += 1
  }
}

const isAt = ({ text, at }: Reader, any: string) => any.includes(text[at] ?? '}')

function skipSpace(reader: Reader): void {
  while (SPACE.has(reader.text[reader.at] ?? '')) reader.at += 1
}

function readString(reader: Reader): string {
  const from = reader.at
  reader.at += 1
  while (reader.at < reader.text.length && reader.text[reader.at] !== '"') {
    reader.at += reader.text[reader.at] === '\\' ? 2 : 1
  }
  reader.at += 1
  return reader.text.slice(from, reader.at)
}

function skipValue(reader: Reader): void {
  let depth = 0
  while (reader.at < reader.text.length) {
    const letter = reader.text[reader.at] ?? ''
    if (letter === '"') readString(reader)
    else if (depth === 0 && ',}]'.includes(letter)) return
    else {
      if ('{['.includes(letter)) depth += 1
      if ('}]'.includes(letter)) depth -= 1
      reader.at += 1
    }
    if (depth === 0 && ('}]"'.includes(letter) || ',}]'.includes(reader.text[reader.at] ?? ''))) {
      return
    }
  }
}

const STRING = /"(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const PLAIN = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** In which line a text stops being JSON, from 1; null where all of it is. Engines do not always say. */
export function findBrokenLine(text: string): number | null {
  const reader: Reader = { text, at: 0 }
  const isWhole = takeValue(reader)
  skipSpace(reader)
  if (isWhole && reader.at >= text.length) return null
  return text.slice(0, reader.at).split('\n').length
}

/** Goes behind a value, or stays where it is none; the same of all below. */
function takeValue(reader: Reader): boolean {
  skipSpace(reader)
  if (take(reader, '{')) {
    return takeAll(reader, '}', () => {
      skipSpace(reader)
      if (!takeMatch(reader, STRING)) return false
      skipSpace(reader)
      return take(reader, ':') && takeValue(reader)
    })
  }
  if (take(reader, '[')) return takeAll(reader, ']', () => takeValue(reader))
  return takeMatch(reader, STRING) || takeMatch(reader, PLAIN)
}

function takeAll(reader: Reader, end: string, takeOne: () => boolean): boolean {
  skipSpace(reader)
  if (take(reader, end)) return true
  for (;;) {
    if (!takeOne()) return false
    skipSpace(reader)
    if (take(reader, end)) return true
    if (!take(reader, ',')) return false
  }
}

function take(reader: Reader, letter: string): boolean {
  if (reader.text[reader.at] !== letter) return false
  reader.at += 1
  return true
}

function takeMatch(reader: Reader, pattern: RegExp): boolean {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.text)?.[0]
  // What is below a space stands in no text as it is.
  if (found === undefined || [...found].some((letter) => letter < ' ')) return false
  reader.at += found.length
  return true
}
