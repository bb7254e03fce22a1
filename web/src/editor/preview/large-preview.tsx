import { useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { Options } from '../../ui/options.tsx'
import { phonePreviewWords } from '../../words/phone-preview-words.ts'
import { PhoneFrame, type Screen } from '../phone-frame.tsx'

const text = phonePreviewWords

/** Shows the page of a draft in a window, in the width of a phone or of a computer. */
export function LargePreview({ page, onClose }: { page: string; onClose: () => void }) {
  const [screen, setScreen] = useState<Screen>('desktop')
  return (
    <Dialog title={text.largeTitle} onClose={onClose} wide="page">
      <div className="grid gap-3">
        <Options
          legend={text.screen}
          legendHidden
          value={screen}
          options={[
            ['phone', text.screens.phone],
            ['desktop', text.screens.desktop],
          ]}
          onChoose={setScreen}
        />
        <div
          className={`mx-auto flex h-[calc(100dvh-12rem)] w-full flex-col overflow-hidden rounded-control border border-line ${screen === 'phone' ? 'max-w-96' : ''}`}
        >
          <PhoneFrame key={screen} title={text.largeTitle} page={page} screen={screen} />
        </div>
      </div>
    </Dialog>
  )
}
