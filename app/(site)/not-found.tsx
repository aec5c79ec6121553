import { ButtonLink } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/messages.tsx'

export default function NotFound() {
  return (
    <div className="py-10">
      <h1 className="sr-only">Not found</h1>
      <EmptyState
        title="There is no such page"
        action={
          <>
            <ButtonLink href="/" variant="solid">
              All ratings
            </ButtonLink>
            <ButtonLink href="/symbols">All symbols</ButtonLink>
          </>
        }
      >
        The address may be mistyped, or what it named has never been rated here.
      </EmptyState>
    </div>
  )
}
