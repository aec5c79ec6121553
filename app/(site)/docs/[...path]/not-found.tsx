import { ButtonLink } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/messages.tsx'

export default function NoDoc() {
  return (
    <div className="py-10">
      <h1 className="sr-only">Not found</h1>
      <EmptyState
        title="There is no such document"
        action={
          <ButtonLink href="/docs" variant="solid">
            All documents
          </ButtonLink>
        }
      >
        The address may be mistyped, or belong to a different version.
      </EmptyState>
    </div>
  )
}
