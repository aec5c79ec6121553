import type { Metadata } from 'next'
import { PageBody } from '#components/ui/page-layout.tsx'

export const metadata: Metadata = { title: 'Not allowed' }

export default function Forbidden() {
  return (
    <PageBody className="mx-auto max-w-[720px]">
      <h1 className="text-xl">Not allowed</h1>
      <p role="alert">You do not have the permission for this page.</p>
    </PageBody>
  )
}
