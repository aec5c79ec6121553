/** An edition that is kept, by its name; a click takes the file away. */
export const EditionLink = ({ fileName }: { fileName: string }) => (
  <a className="link" href={`/api/editions/${fileName}`} download>
    {fileName}
  </a>
)
