import { useState } from 'react'
import { useWidth } from '../ui/use-width.ts'

/** Widths of screens in CSS pixels. Content that does not fit is scrolled to. */
export const screenWidthsPx = { phone: 375, desktop: 1280 } as const
export type Screen = keyof typeof screenWidthsPx

/**
 * Shows a whole page in the width of a screen, scaled to the available room. The page cannot run
 * scripts, send requests or navigate. The previous page stays visible until the next one is loaded.
 */
export function PhoneFrame({
  title,
  page,
  screen = 'phone',
}: {
  title: string
  page: string
  screen?: Screen
}) {
  const [box, widthPx] = useWidth<HTMLDivElement>()
  const [shown, setShown] = useState(page)
  const screenWidthPx = screenWidthsPx[screen]
  const scale = widthPx / screenWidthPx
  const pages = shown === page ? [page] : [shown, page]
  return (
    <div ref={box} className="relative min-h-0 flex-1 overflow-hidden">
      {widthPx > 0 &&
        pages.map((text) => (
          <iframe
            key={text}
            title={title}
            sandbox=""
            srcDoc={text}
            // The keyboard can scroll a page that is longer than the frame, too.
            tabIndex={0}
            className={`absolute top-0 left-0 origin-top-left ${text === shown ? '' : 'invisible'}`}
            style={{ width: screenWidthPx, height: `${100 / scale}%`, transform: `scale(${scale})` }}
            onLoad={() => {
              if (text === page) setShown(text)
            }}
          />
        ))}
    </div>
  )
}
