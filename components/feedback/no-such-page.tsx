import { ButtonLink } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/messages.tsx'
import { type NearLink, NearLinks } from './near-links.tsx'
import { SymbolSearch } from './symbol-search.tsx'

export const NoSuchPage = ({ near = [] }: { near?: readonly NearLink[] }) => (
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
      <p>The address may be mistyped, or the item has never been rated here.</p>
      <NearLinks label="Did you mean" links={near} />
      <SymbolSearch />
    </EmptyState>
  </div>
)
