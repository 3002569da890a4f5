"""Checks the order of steps, and warns once where the program seems to add them wrongly."""

from collections import Counter

from rlcores.base import forks
from rlcores.errors import UserError, warn
from rlcores.replay.store import VOID, Continuity, Store

AUTORESETS = ("next_step", "same_step", "disabled")
_NEWEST = 1024  # steps that are looked at
_ENOUGH = 64  # steps that make a share
_FIRST = 12  # steps that do not go on


class ContinuityCheck:
    """Looks at the steps of a store for what would give wrong returns, stacks or bootstrapped values without a word.

    ordered      whether returns or stacks are made of several steps
    autoreset    how the environments reset themselves, as the user says it: one of AUTORESETS, or None
    """

    def __init__(self, ordered: bool, autoreset: str | None) -> None:
        """No warning was given yet."""
        self._ordered, self._autoreset = ordered, autoreset
        self._said_broken = self._said_resets = False
        self._look_at = _FIRST
        self._mixed: str | None = None
        self._copied = False
        self.waits = False  # something is to be said before the next step comes, or a batch is drawn

    def look(self, store: Store) -> None:
        """Behind steps that did not go on, or that did so over an end."""
        went = store.continuity
        if not self._said_resets and went.same:
            self._resets(went)
        if not (self._ordered and went.broken):
            return
        if store.columns == 1 and went.broken >= self._look_at:
            self._look_at = 2 * went.broken
            self._mixed = _mixed(store.keys(_NEWEST))
        self.waits = self._mixed is not None or not self._said_broken

    def say(self, store: Store, draws: bool) -> None:
        """What waits; of a few steps only where a batch draws them.

        Raises UserError where the steps of several environments are mixed.
        """
        if self._mixed:
            raise UserError(self._mixed)
        if self._copied and not draws:
            self._copied = False
            warn(forks.COPY)
        went = store.continuity
        due = self._ordered and went.broken > 0 and not self._said_broken
        if due and (draws or went.expected >= _ENOUGH):
            self._broken(went)
            due = False
        self.waits = due or self._copied

    def leave(self) -> None:
        """In a process that was forked from the buffer's, whose rows this one's do not reach."""
        self._copied = self.waits = True

    def _broken(self, went: Continuity) -> None:
        self._said_broken = True
        share = went.broken / max(went.expected, 1)
        if share > 0.5:
            cause = (
                "they are probably changed as they are added, as a running normaliser does, or several environments "
                "are added in turn; returns and stacks go on over them, so say truncated=True where episodes do end"
            )
        else:
            cause = (
                "an environment was probably reset without an end, and returns and stacks go on into its next episode; "
                "call end_episode() before such a reset, or say truncated=True with its last step"
            )
        warn(
            f"the observations of {went.broken} of {went.expected} steps ({share:.2g} of them) are not the next ones "
            f"of the steps before: {cause} (ReplayBuffer.discontinuities counts on)"
        )

    def _resets(self, went: Continuity) -> None:
        if self._autoreset is None and 2 * went.idle > went.after_ends:
            said = (
                f"{went.idle} of {went.after_ends} steps behind an end start with the last observation of the episode, "
                "and have reward 0 and no end: they only reset an environment, as Gymnasium's vector environments do "
                "by default (AutoresetMode.NEXT_STEP), and are stored as transitions; make the buffer with "
                "autoreset='next_step', which leaves them out, or with autoreset='disabled' if they are transitions"
            )
        elif self._autoreset == "same_step" and 2 * went.same > went.after_ends:
            said = (
                f"the next observation of {went.same} of {went.after_ends} steps that end an episode is the first one "
                "of the next episode: with autoreset='same_step' it must be that of infos['final_obs']"
            )
        else:
            return
        self._said_resets = True
        warn(said)


def _mixed(keys: list[tuple[int, int, int]]) -> str | None:
    """What to say where steps do not go on from the ones before them, but from earlier ones; see Store.keys."""
    at: dict[int, int] = {}  # where an observation was the next one of a step
    lags: Counter[int] = Counter()
    for k, (here, there, flags) in enumerate(keys):
        if flags & VOID:
            continue
        lags[k - at.get(here, k)] += 1  # 0: behind no step, as the first one of an episode
        at[there] = k
    steps = sum(lags.values())
    _, near = lags.pop(0, 0), lags.pop(1, 0)
    far = sum(lags.values())
    if far < _FIRST or far < 0.3 * steps or near > 0.6 * steps:
        return None
    lag, count = lags.most_common(1)[0]
    if count < 0.8 * far and len(at) < 0.5 * steps:  # few observations come again anyhow
        return None
    one = count >= 0.8 * far
    return (
        f"the steps of several environments are mixed in a buffer of num_envs=1: most observations go on from "
        f"{f'the step {lag} adds before' if one else 'a step several adds before'}, so that returns and stacks would "
        f"be of other environments; make it with num_envs={lag if one else 'their number'}, and add a step of all of "
        "them at once"
    )
