import { auditList } from './audit.ts'
import { callList } from './calls.ts'
import { lookupList } from './lookups.ts'
import { quarantineList } from './quarantine.ts'
import { ratingList } from './ratings.ts'
import { symbolList } from './symbols.ts'
import { userList } from './users.ts'

export const LISTS = [
  ratingList,
  symbolList,
  userList,
  callList,
  lookupList,
  quarantineList,
  auditList,
] as const
export type ListPath = (typeof LISTS)[number]['path']
