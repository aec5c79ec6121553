import type { feedOperations } from '#lib/contract/operations/files.ts'
import { respondChangesFeed } from './changes.ts'
import type { RespondersTo } from './endpoint.ts'
import { respondRatingsFeed, respondTurnsFeed } from './feeds.ts'

export const feedResponders: RespondersTo<typeof feedOperations> = {
  followRatings: respondRatingsFeed('atom'),
  followRatingsJson: respondRatingsFeed('json'),
  followChanges: respondChangesFeed('atom'),
  followChangesJson: respondChangesFeed('json'),
  followTurns: respondTurnsFeed('atom'),
  followTurnsJson: respondTurnsFeed('json'),
}
