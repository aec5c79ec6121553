import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser'

export type JsonPath = readonly PropertyKey[]

/** Lines start at 1. A missing value gets the line of its innermost existing parent. */
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

/** Null if the text is valid or nested too deeply. */
export function findBrokenLine(text: string): number | null {
  const errors: ParseError[] = []
  readTree(text, errors)
  return errors[0] === undefined ? null : toLine(text, errors[0].offset)
}

function readTree(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { disallowComments: true })
  } catch {
    return undefined
  }
}

const toLine = (text: string, offset: number) => text.slice(0, offset).split('\n').length
