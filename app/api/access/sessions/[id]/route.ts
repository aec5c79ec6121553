import { mountAccess } from '#lib/server/mount-access.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mountAccess({
  DELETE: 'endSessions',
})
