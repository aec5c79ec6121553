import type { alertOperations, processOperations } from '#lib/contract/operations/commands.ts'
import { EXPORT_OPERATIONS, type feedOperations } from '#lib/contract/operations/files.ts'
import type { QUESTIONS } from '#lib/contract/operations/operations.ts'
import { alertResponders } from './alerts.ts'
import { changeAnswers } from './changes.ts'
import { databaseAnswers } from './database.ts'
import { differenceAnswers, editionAnswers } from './editions.ts'
import type { AnswersTo, Respond, RespondersTo } from './endpoint.ts'
import { respondExport } from './exports.ts'
import { feedResponders } from './feed-responders.ts'
import { inspectionAnswers } from './inspection.ts'
import { lookupAnswers } from './lookups.ts'
import { ratingAnswers } from './ratings.ts'
import { processResponders, stateAnswers } from './status.ts'
import { symbolAnswers } from './symbols.ts'
import { callAnswers, userAnswers } from './users.ts'

export const ANSWERS: AnswersTo<typeof QUESTIONS> = {
  ...ratingAnswers,
  ...changeAnswers,
  ...symbolAnswers,
  ...userAnswers,
  ...callAnswers,
  ...lookupAnswers,
  ...differenceAnswers,
  ...editionAnswers,
  ...databaseAnswers,
  ...stateAnswers,
  ...inspectionAnswers,
}

const NAMED: RespondersTo<
  typeof feedOperations & typeof processOperations & typeof alertOperations
> = { ...feedResponders, ...processResponders, ...alertResponders }

export const RESPONDERS: ReadonlyMap<string, Respond> = new Map([
  ...Object.entries(NAMED),
  ...EXPORT_OPERATIONS.map((operation) => [operation.id, respondExport(operation)] as const),
])
