import { TAGS } from '#lib/contract/tags.ts'
import { accessOperations } from './access.ts'
import { alertOperations, processOperations } from './commands.ts'
import {
  databaseQuestions,
  dumpOperations,
  EXPORT_OPERATIONS,
  feedOperations,
  previewOperations,
} from './files.ts'
import { inspectionQuestions } from './inspection.ts'
import { type Operation, questionOperation } from './operation.ts'
import { changeQuestions, lookupQuestions, ratingQuestions } from './ratings.ts'
import { editionQuestions, stateQuestions } from './state.ts'
import { symbolQuestions } from './symbols.ts'
import { callQuestions, userQuestions } from './users.ts'

export const QUESTIONS = {
  ...ratingQuestions,
  ...changeQuestions,
  ...symbolQuestions,
  ...userQuestions,
  ...callQuestions,
  ...lookupQuestions,
  ...editionQuestions,
  ...databaseQuestions,
  ...stateQuestions,
  ...inspectionQuestions,
}

const tagOrder = Object.keys(TAGS)

export const OPERATIONS: readonly (Operation & { tag: NonNullable<Operation['tag']> })[] = [
  ...Object.values(QUESTIONS).map(questionOperation),
  ...EXPORT_OPERATIONS,
  ...Object.values(feedOperations),
  ...Object.values(previewOperations),
  ...Object.values(dumpOperations),
  ...Object.values(processOperations),
  ...Object.values(alertOperations),
]
  .flatMap((operation) => (operation.tag === null ? [] : [{ ...operation, tag: operation.tag }]))
  .sort((a, b) => tagOrder.indexOf(a.tag) - tagOrder.indexOf(b.tag))

export const ALL_OPERATIONS: readonly Operation[] = [
  ...OPERATIONS,
  ...Object.values(accessOperations),
]

const toPattern = (address: string): RegExp =>
  new RegExp(`^${address.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)

type Address = {
  address: string
  pattern: RegExp
  operations: Operation[]
}

function listAddresses(): Address[] {
  const addresses = new Map<string, Address>()
  for (const operation of ALL_OPERATIONS) {
    const { address } = operation
    const known = addresses.get(address)
    if (known) known.operations.push(operation)
    else addresses.set(address, { address, pattern: toPattern(address), operations: [operation] })
  }
  // Addresses without parts take precedence.
  return [...addresses.values()].sort(
    (a, b) => Number(a.address.includes('{')) - Number(b.address.includes('{')),
  )
}

export const ADDRESSES: readonly Address[] = listAddresses()

export const selectAddress = (path: string): Address | null =>
  ADDRESSES.find(({ pattern }) => pattern.test(path)) ?? null
