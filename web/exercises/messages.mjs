/** What an exercise says about itself, in words. */

/** The decision a draft waits for, by its kind: a sentence and the labels of its two buttons. */
export const conflictMessages = {
  original: {
    text: "This exercise has changed since you wrote this answer.",
    keep: "Keep mine",
    take: "Take the new one",
  },
  tab: {
    text: "This exercise was edited in another tab.",
    keep: "Keep this one",
    take: "Take the other one",
  },
};

/** What a click on *Solution* came to. */
export const solutionMessages = {
  ask: "You have not passed yet. Press Solution again to see it all the same.",
  shown: "The solution is shown below the exercise.",
  hidden: "The solution is hidden again.",
};
