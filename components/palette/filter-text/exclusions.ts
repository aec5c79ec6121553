import { isListName } from '#lib/contract/ratings-query.ts'
import {
  isJoining,
  isTaking,
  readNumbers,
  toListed,
  toPlainWord,
  withoutLastComma,
} from './plain-words.ts'
import type { Word } from './tokenizer.ts'

type Parameters = [name: string, value: string][]

type Exclusion = { words: number; parameters: Parameters; taken: Word[]; problem?: string }

type ExcludedItem = Exclusion & { name: string }

type Read = (at: number) => { words: number; parameters: Parameters } | null

export function readExclusion(words: readonly Word[], at: number, read: Read): Exclusion {
  let end = at + 1
  while (isTaking(words, end) || isJoining(words[end])) end += 1
  const said = toPlainWord(words[at]) ?? 'not'
  const things: ExcludedItem[] = []
  for (let next: number | null = end; next !== null; next = toListed(words, end)) {
    const thing = readExcludedItem(words, next, read)
    if (thing === null || (things[0] && things[0].name !== thing.name)) break
    things.push(thing)
    end = next + thing.words
  }
  const nothing =
    things.length === 0
      ? `“${said}” excludes the word after it: a user, a symbol or a rating`
      : undefined
  return {
    words: end - at,
    parameters: things.flatMap(({ parameters }) => parameters),
    taken: things.flatMap(({ taken }) => taken),
    problem: nothing ?? things.find(({ problem }) => problem !== undefined)?.problem,
  }
}

function readExcludedItem(words: readonly Word[], at: number, read: Read): ExcludedItem | null {
  const word = words[at]
  if (!word) return null
  const phrase = read(at)
  const [name] = phrase?.parameters[0] ?? []
  if (phrase && name !== undefined) {
    return { name, words: phrase.words, taken: [], ...toExclusion(phrase.parameters) }
  }
  const users = readNumbers(words, at)
  if (users) {
    const parameters: Parameters = [['user', minus(users.values.join(','))]]
    return { name: 'user', words: users.words, parameters, taken: [] }
  }
  const one = { words: 1, parameters: [], taken: [] }
  if (/^users?$/.test(toPlainWord(word) ?? '')) {
    return { ...one, name: 'user', problem: `“${toPlainWord(word)}” needs a number after it` }
  }
  const taken = { ...withoutLastComma(word), isNot: true }
  return { ...one, name: word.name ?? 'symbol', taken: [taken] }
}

const minus = (values: string): string =>
  values
    .split(',')
    .map((value) => `-${value}`)
    .join(',')

const TURNED: Readonly<Record<string, string>> = {
  prediction_above: 'prediction_max',
  prediction_below: 'prediction_min',
  from: 'to',
  to: 'from',
}

/** Lists are excluded, bounds inverted. */
function toExclusion(parameters: Parameters): { parameters: Parameters; problem?: string } {
  if (parameters.length > 1) {
    const problem = 'a range of days cannot be excluded. Use a day, a month or a year'
    return { parameters: [], problem }
  }
  const [[name, value] = ['', '']] = parameters
  if (isListName(name)) return { parameters: [[name, minus(value)]] }
  const turned = Object.hasOwn(TURNED, name) ? TURNED[name] : undefined
  if (turned === undefined) return { parameters: [], problem: `${name} cannot be excluded` }
  return { parameters: [[turned, value]] }
}
