'use client'

import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/messages.tsx'
import './globals.css'

export default function DashboardFailure({ retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Failure · Bellwether</title>
        <main className="mx-auto flex max-w-[720px] flex-col gap-4 px-4 py-10">
          <h1 className="text-xl">Bellwether could not be shown</h1>
          <Notice
            tone="failure"
            title="Something went wrong on our side"
            action={<Button onClick={retry}>Try again</Button>}
          >
            The archive is untouched. If it happens again, the server’s log says why.
          </Notice>
        </main>
      </body>
    </html>
  )
}
