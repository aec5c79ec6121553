import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import type { User, UserRatings } from '#lib/contract/answers/users.ts'
import { userOf, userRatingsOf } from '#lib/timeline/user.ts'

/** Null if there are no ratings by `at`. */
export async function selectUser(
  reader: ArchiveReader,
  userId: number,
  { at, signal }: ReadOptions,
): Promise<User | null> {
  const timeline = await reader.userTimelines.load(String(userId), signal)
  return timeline && userOf(timeline, at)
}

export async function selectUserRatings(
  reader: ArchiveReader,
  userId: number,
  { at, signal }: ReadOptions,
): Promise<UserRatings | null> {
  const timeline = await reader.userTimelines.load(String(userId), signal)
  return timeline && userRatingsOf(timeline, at)
}
