import type { Turns } from './turns.ts'

type Values = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[]

/** Returns the figures of turns, each by its kind, in the form that a process reports. */
export function turnFigures(
  all: readonly Turns[],
): Readonly<Record<string, readonly [help: string, read: () => Values]>> {
  type Stats = ReturnType<Turns['stats']>
  const byKind = (read: (stats: Stats) => number) => (): Values =>
    all.map((turns) => [{ kind: turns.kind }, read(turns.stats())])
  return {
    turns_running: ['Work that holds a turn now', byKind(({ running }) => running)],
    turns_waiting: ['Work that waits for its turn', byKind(({ waiting }) => waiting)],
    turns_waited_seconds_total: [
      'Time that work waited for its turn',
      byKind(({ waitedSeconds }) => waitedSeconds),
    ],
    turns_total: [
      'Turns: given, or refused because too many wait, because it took too long, or because the client left',
      () =>
        all.flatMap((turns) =>
          Object.entries(turns.stats().outcomes).map(
            ([outcome, value]) => [{ kind: turns.kind, outcome }, value] as const,
          ),
        ),
    ],
  }
}
