import { useState } from 'react'
import { useWidth } from '../ui/use-width.ts'

/** CSS pixels of a phone of today; what does not fit is scrolled to. */
const screenWidthPx = 375

/**
 * A page in full, as wide as a phone has it and as small as the room is. Nothing in it may run, ask, or go elsewhere. The
 * page before stays in sight until the next one is there.
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
            // A page that is longer than the frame is scrolled with the keys, too.
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
