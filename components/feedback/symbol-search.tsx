import { Button } from '#components/ui/button.tsx'
import { TextField } from '#components/ui/fields.tsx'
import { withBase } from '#lib/contract/base-path.ts'

export const SymbolSearch = () => (
  <search className="mt-4 block text-ink">
    <form action={withBase('/symbols')} className="flex justify-center gap-2">
      <TextField label="Search symbols" labelHidden name="q" placeholder="Find a symbol" />
      <Button type="submit">Search</Button>
    </form>
  </search>
)
