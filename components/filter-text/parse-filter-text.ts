import type { Issue } from '#lib/contract/faults.ts'
import { EVERY_RATING, parseRatingsQuery, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { readParameters } from './read-parameters.ts'
import { readWords, type Word } from './read-words.ts'
import { isListName } from './vocabulary.ts'
import { toQuoted, toValueText } from './word-reading.ts'

/** The canonical text of any query that an address can hold is shorter. */
export const LONGEST_TEXT = 40_000
const MOST_WORDS = 1000

/** What is wrong with the word from `start` to before `end`, in a sentence, and words that may have been meant. */
export type FilterProblem = { start: number; end: number; message: string; fixes: string[] }

/** `query` is what the words say that are right; where there are no problems, it is what the whole text says. */
export type FilterText = { words: Word[]; query: RatingsQuery; problems: FilterProblem[] }

type Said = { word: Word; parameters: [string, string][] }

/** Reads a filter text, `symbol:AAPL,MSFT rating:>=4 -user:12`, by the one schema of the query. Takes any text. */
export function parseFilterText(text: string): FilterText {
  if (text.length > LONGEST_TEXT) return refuseAll(text, `${LONGEST_TEXT} characters`)
  const words = readWords(text)
  if (words.length > MOST_WORDS) return refuseAll(text, `${MOST_WORDS} words`)
  const problems: FilterProblem[] = []
  const refuse = ({ start, end }: Word, message: string, fixes: string[] = []) =>
    problems.push({ start, end, message, fixes })
  const said = words.flatMap((word): Said[] => {
    const read = readParameters(word, text.slice(word.start, word.end))
    if ('problem' in read) {
      refuse(word, read.problem, read.fixes)
      return []
    }
    const parsed = parseRatingsQuery(new URLSearchParams(read.parameters))
    if (parsed.ok) return [{ word, parameters: read.parameters }]
    refuse(word, toMessage(word, parsed.issues[0]))
    return []
  })
  const query = parseTogether(withoutSecond(said, refuse), refuse)
  return { words, query, problems: problems.sort((a, b) => a.start - b.start) }
}

const refuseAll = (text: string, limit: string): FilterText => ({
  words: [],
  query: EVERY_RATING,
  problems: [{ start: 0, end: text.length, message: `The text has more than ${limit}`, fixes: [] }],
})

type Refuse = (word: Word, message: string) => void

/** What takes one value is said once; the first counts. */
function withoutSecond(said: readonly Said[], refuse: Refuse): Said[] {
  const seen = new Set<string>()
  return said.filter(({ word, parameters }) => {
    const again = parameters.find(([name]) => !isListName(name) && seen.has(name))
    for (const [name] of parameters) seen.add(name)
    if (again) refuse(word, `${word.name} ${toQuoted(toValueText(word))}: that is said twice`)
    return !again
  })
}

/** Words that are right alone may not be together: the one that is named is refused until the others are right. */
function parseTogether(said: readonly Said[], refuse: Refuse): RatingsQuery {
  let rest = said
  for (;;) {
    const parameters = rest.flatMap((one) => one.parameters)
    const parsed = parseRatingsQuery(new URLSearchParams(parameters))
    if (parsed.ok) return parsed.value
    const [issue] = parsed.issues
    const named = rest.findLast((one) => one.parameters.some(([name]) => name === issue?.parameter))
    if (!named) return EVERY_RATING
    refuse(named.word, toMessage(named.word, issue))
    rest = rest.filter((one) => one !== named)
  }
}

function toMessage(word: Word, issue: Issue | undefined): string {
  const subject = `${word.name ?? 'symbol'} ${toQuoted(toValueText(word))}`
  if (issue === undefined) return `${subject} cannot be read`
  if (/^is (below|not above) prediction_/.test(issue.message)) {
    return `${subject} leaves nothing between the bounds of the prediction`
  }
  if (issue.message === 'is not after from' && word.name !== 'to') {
    return `${subject} leaves no time between its ends`
  }
  return `${subject} ${issue.message}`
}
