import type { Style } from '@everscan/contract/resources/styles.ts'
import { useQuery } from '@tanstack/react-query'
import { drawLivePicture, svgAddress } from '../codes/live-pictures.ts'

/** A small code in a style; white in both lights, as paper is. */
export function StyleThumbnail({ id, style }: { id: string; style: Style }) {
  const picture = useQuery({
    // Not by the style itself, whose logo is long.
    queryKey: ['style-thumbnail', id],
    queryFn: async () => svgAddress(await drawLivePicture({ shortUrl: 'HTTPS://QR.EXAMPLE/0000000', style })),
    staleTime: Infinity,
  })
  return (
    <span className="block aspect-square w-full rounded bg-white">
      {picture.data !== undefined && (
        <img src={picture.data} alt="" className="size-full rounded object-contain" />
      )}
    </span>
  )
}
