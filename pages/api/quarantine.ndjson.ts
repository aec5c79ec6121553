import type { NextApiRequest, NextApiResponse } from 'next'
import { mountExport } from '#lib/server/mount-export.ts'

export const config = { api: { bodyParser: false, responseLimit: false, externalResolver: true } }

export default (request: NextApiRequest, response: NextApiResponse) =>
  mountExport(request, response)
