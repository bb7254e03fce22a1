import type { Style } from '@everscan/contract/resources/styles.ts'
import { useQuery } from '@tanstack/react-query'
import { drawLivePicture, svgAddress } from '../codes/live-pictures.ts'

/** Shows a small code in a style, white in both themes like paper. */
export function StyleThumbnail({ id, style }: { id: string; style: Style }) {
  const picture = useQuery({
    // The style itself is not the key, because its logo is long.
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
