import { parsePeriod, toAsofParameter, toInstantText } from '#lib/contract/instant-text.ts'
import type { ListName } from '#lib/contract/ratings-query.ts'
import { quoteValue } from '#lib/contract/value-list.ts'
import { type Code, isCodeName, readCode } from './code-words.ts'
import { readQuality } from './quality-words.ts'
import { quoteText } from './quote-text.ts'
import { readBounds, toDecimalText } from './read-bounds.ts'
import type { Item, Word } from './read-words.ts'
import { isListName, isLookName, isWordName, SORT_NAMES, suggestName } from './vocabulary.ts'
import { isCompared, problem, type Reading, toQuoted, toRaw, toValueText } from './word-reading.ts'

const NUMBER = /^#?\d{1,15}$/

/** A bare number: a user, a rating or a symbol, which a reader chooses from the list. */
export const toBareNumber = ({ name, isNot, items }: Word): number | null => {
  const [item, ...others] = items
  if (name !== null || isNot || !item || others.length > 0 || item.isQuoted) return null
  return NUMBER.test(toRaw(item)) ? Number(item.text.replace('#', '')) : null
}

/** The parameters of the address that a word stands for. A bare word is a symbol. */
export function readParameters(word: Word, written: string): Reading {
  const faulty = word.items.find(({ fault }) => fault !== null)
  if (faulty) {
    const where = faulty.fault === 'open' ? 'a quote that does not end' : 'something behind a quote'
    return problem(`${toQuoted(written)} has ${where}`)
  }
  if (word.name === null) return readBare(word, written)
  if (!isWordName(word.name)) return refuseName(word, written)
  if (word.items.every(({ operator, text, isQuoted }) => operator + text === '' && !isQuoted)) {
    return problem(`${word.name} needs a value`)
  }
  if (isListName(word.name)) return readList(word.name, word)
  return readSingle(word.name, word)
}

function refuseName({ name, isNot, valueStart, start }: Word, written: string): Reading {
  if (name === null || isLookName(name)) {
    return problem(`${name} is no filter: it is how the table is looked at`)
  }
  const meant = suggestName(name)
  if (meant === null) {
    return problem(`${toQuoted(`${name}:`)} is no filter`, [`symbol:${quoteText(written)}`])
  }
  const rest = written.slice(valueStart - start)
  const fix = `${isNot ? '-' : ''}${meant}:${rest}`
  return problem(`${toQuoted(`${name}:`)} is no filter. Did you mean ${meant}?`, [fix])
}

function readBare(word: Word, written: string): Reading {
  const [item] = word.items
  if (item && isCompared(item) && item.operator !== '') {
    return problem(`${toQuoted(written)} bounds nothing. Did you mean the prediction?`, [
      `prediction:${written.replace(/^-/, '')}`,
    ])
  }
  if (word.items.every(({ text, isQuoted }) => !isQuoted && NUMBER.test(text))) {
    const sign = word.isNot ? '-' : ''
    const numbers = word.items.map(({ text }) => text.replace('#', '')).join(',')
    return problem(
      `${toQuoted(written)} may be a user, a rating or a symbol: say which`,
      ['user', 'id', 'symbol'].map((name) => `${sign}${name}:${numbers}`),
    )
  }
  return readList('symbol', word)
}

function readList(name: ListName, word: Word): Reading {
  if (name !== 'symbol' && word.items.some(isCompared)) return readBounds(name, word)
  if (word.items.some(({ operator }) => operator !== '')) {
    return problem(`${name} ${toQuoted(toValueText(word))}: ${name} takes values, no bounds`)
  }
  const values: string[] = []
  for (const item of word.items) {
    if (word.isNot && item.isNot) return problem(`${name}: one minus is enough to take a value out`)
    const value = toValue(name, item)
    if (typeof value !== 'string') return value
    values.push(`${word.isNot || item.isNot ? '-' : ''}${quoteValue(value)}`)
  }
  return { parameters: [[name, values.join(',')]] }
}

/** One value of a list as the address writes it: what people and screens write beside it is taken too. */
function toValue(name: ListName, { text, isQuoted }: Item): string | Reading {
  if (text === '' && !isQuoted) return problem(`${name} has a comma with no value beside it`)
  if (isCodeName(name)) {
    const read = readCode(name, text)
    return 'code' in read ? read.code : refuseLabel(name, text, read.like)
  }
  if (name === 'quality') return readQuality(text)
  if (isQuoted || name === 'symbol') return text
  if (name === 'prediction') return toDecimalText(text)
  if (name === 'expires') return text.toLowerCase()
  return name === 'created' ? text : text.replace(/^#/, '').replace(/^−/, '-')
}

function refuseLabel(name: string, text: string, like: readonly Code[]): Reading {
  const labels = like.map(({ label }) => label.toLowerCase())
  const last = labels.at(-1) ?? ''
  const named = labels.length > 1 ? `${labels.slice(0, -1).join(', ')} or ${last}` : last
  return problem(
    `${name} ${toQuoted(text)} is no label. Did you mean ${named}?`,
    like.map(({ label }) => `${name}:${quoteText(label.toLowerCase())}`),
  )
}

/** A word that takes one value. Its minus, where it has one, belongs to the value. */
function readSingle(name: string, word: Word): Reading {
  const [item, ...others] = word.items
  const value = toValueText(word)
  if (word.isNot) {
    const fixes = name === 'sort' && item && !item.isNot ? [`sort:-${value}`] : []
    return problem(`${name} takes nothing out`, fixes)
  }
  if (!item || others.length > 0) return problem(`${name} takes one value`)
  if (item.operator !== '') {
    const isTime = name === 'from' || name === 'to'
    return problem(`${name} takes no bounds`, isTime ? [`created:${value}`] : [])
  }
  return { parameters: [[name, toSingle(name, value)]] }
}

function toSingle(name: string, value: string): string {
  if (name === 'state') return value.toLowerCase()
  if (name === 'sort') {
    const [, sign, column = ''] = /^(-?)(.*)$/s.exec(value) ?? []
    const plain = column.toLowerCase()
    return `${sign ?? ''}${Object.hasOwn(SORT_NAMES, plain) ? SORT_NAMES[plain] : plain}`
  }
  if (name === 'from' || name === 'to' || name === 'asof') {
    // A year would be read as seconds since 1970 otherwise.
    const period = parsePeriod(value)
    if (period === null) return value
    return name === 'asof' ? toAsofParameter(period.to - 1) : toInstantText(period.from)
  }
  return name.startsWith('prediction') ? toDecimalText(value) : value
}
