import { mountApi } from '#lib/server/mount.ts'

export const dynamic = 'force-dynamic'

export {
  mountApi as DELETE,
  mountApi as GET,
  mountApi as HEAD,
  mountApi as OPTIONS,
  mountApi as PATCH,
  mountApi as POST,
  mountApi as PUT,
}
