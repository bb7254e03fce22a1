import { Copy } from 'lucide-react'
import { useState } from 'react'
import { copyText } from './clipboard.ts'
import { commonWords } from '../words/common-words.ts'
import { Button, type ButtonLook } from './button.tsx'

const copiedMs = 1_500

type Props = { text: string; label: string; look?: ButtonLook; withLabel?: boolean }

/**
 * Copies a text and confirms it in place of the icon. `label` is for screen readers, and shown only
 * `withLabel`.
 */
export function CopyButton({ text, label, look = 'quiet', withLabel = false }: Props) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await copyText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), copiedMs)
  }
  return (
    <Button look={look} aria-label={label} onClick={() => void copy()}>
      {copied ? <span role="status">{commonWords.copied}</span> : <Copy size={18} aria-hidden />}
      {withLabel && !copied && label}
    </Button>
  )
}
