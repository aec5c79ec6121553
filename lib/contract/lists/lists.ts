import { callList } from './calls.ts'
import { differenceList } from './edition-differences.ts'
import { lookupList } from './lookups.ts'

/** Every list with files. */
export const LISTS = [callList, lookupList, differenceList] as const
export type ListPath = (typeof LISTS)[number]['path']
