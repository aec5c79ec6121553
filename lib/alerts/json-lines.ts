import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser'

/** The place of a value in a JSON document: names of fields and indexes of lists, outermost first. */
export type JsonPath = readonly PropertyKey[]

/**
 * Parses a JSON text, and returns a function that gives the line of the value at a path, from 1. A missing value has the
 * line of the innermost value that should hold it.
 */
export function createLineFinder(text: string): (path: JsonPath) => number {
  const root = readTree(text, [])
  return (path) => {
    const steps = path.filter((step) => typeof step !== 'symbol')
    let found: Node | undefined
    for (let depth = steps.length; root && !found; depth -= 1) {
      found = findNodeAtLocation(root, steps.slice(0, depth))
    }
    return toLine(text, found?.offset ?? 0)
  }
}

/**
 * The line of the first syntax error in a text, from 1; null if the text is JSON, or too deeply nested to tell. Engines do
 * not always name it.
 */
export function findBrokenLine(text: string): number | null {
  const errors: ParseError[] = []
  readTree(text, errors)
  return errors[0] === undefined ? null : toLine(text, errors[0].offset)
}

/** Undefined for nesting that is too deep for the parser's recursion. */
function readTree(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { disallowComments: true })
  } catch {
    return undefined
  }
}

const toLine = (text: string, offset: number) => text.slice(0, offset).split('\n').length
