import { useState } from 'react'
import { useWidth } from '../ui/use-width.ts'

/** Width of a current phone in CSS pixels. Content that does not fit is scrolled to. */
const screenWidthPx = 375

/**
 * Shows a whole page in the width of a phone, scaled to the available room. The page cannot run
 * scripts, send requests or navigate. The previous page stays visible until the next one is loaded.
 */
export function PhoneFrame({ title, page }: { title: string; page: string }) {
  const [box, widthPx] = useWidth<HTMLDivElement>()
  const [shown, setShown] = useState(page)
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
