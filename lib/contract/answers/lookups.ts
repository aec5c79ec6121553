import * as z from 'zod/mini'
import type { RowOf } from '#lib/contract/lists/define-list.ts'
import { lookupList } from '#lib/contract/lists/lookups.ts'
import { seconds } from './envelope.ts'
import { type ListFacets, toFacetsAnswer, toPageAnswer } from './lists.ts'

export type LookupRow = RowOf<typeof lookupList>

/** `known_to`: exclusive; null before the first import. */
const known = { known_to: z.nullable(seconds), edition: z.nullable(z.string()) }

export const lookupsPage = toPageAnswer(lookupList, known)
export type LookupsPage = z.infer<typeof lookupsPage>

export const lookupFacetsAnswer = toFacetsAnswer(lookupList, known)
export type LookupFacets = ListFacets<typeof lookupList>
