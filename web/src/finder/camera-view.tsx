import { useEffect, useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { pictureWords } from '../words/finder-words.ts'
import { readFrame } from './read-picture.ts'

const text = pictureWords
/** Pause between two attempts, which leaves a phone time for everything else. */
const pauseMs = 150

type Props = {
  onContent: (content: string) => void
  onStop: () => void
  onProblem: (text: string) => void
}

/** Shows the picture of the camera, and reads it until it has a code. */
export function CameraView({ onContent, onStop, onProblem }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  const latest = useRef({ onContent, onProblem })
  latest.current = { onContent, onProblem }
  useEffect(() => {
    const { current: screen } = video
    const ended = new AbortController()
    let stream: MediaStream | undefined
    const watch = async () => {
      if (screen === null) return
      stream = await openCamera()
      // The user closed the window while the browser asked.
      if (ended.signal.aborted) return stop(stream)
      screen.srcObject = stream
      await screen.play()
      while (!ended.signal.aborted) {
        const content = await readFrame(screen)
        if (ended.signal.aborted) return
        if (content !== undefined) return latest.current.onContent(content)
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
    watch().catch((error: unknown) => {
      if (!ended.signal.aborted) latest.current.onProblem(problemOf(error))
    })
    return () => {
      ended.abort()
      if (stream !== undefined) stop(stream)
    }
  }, [])
  return (
    <div className="grid gap-3">
      <video
        ref={video}
        muted
        playsInline
        aria-label={text.cameraView}
        className="aspect-video w-full rounded-card bg-black object-cover"
      />
      <div className="flex items-center justify-between gap-3">
        <p role="status" className="text-soft">
          {text.looking}
        </p>
        <Button onClick={onStop} autoFocus>
          {text.stop}
        </Button>
      </div>
    </div>
  )
}

/** Opens the camera at the back, or else any. */
async function openCamera(): Promise<MediaStream> {
  // Without https there are no devices, whatever the types say.
  const { mediaDevices } = navigator as { mediaDevices?: MediaDevices }
  if (mediaDevices === undefined) throw new DOMException('', 'SecurityError')
  return mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: 'environment', width: { ideal: 1_280 } },
  })
}

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

function problemOf(error: unknown): string {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError') return text.denied
  if (name === 'SecurityError') return text.insecure
  return text.noCamera
}
