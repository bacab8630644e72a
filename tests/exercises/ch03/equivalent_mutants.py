"""Changes to chapter 3's solutions that still solve the exercise, each with the reason why."""

SCORE = "scores[i, j] = Q[i] @ K[j] / np.sqrt(Q.shape[1])"
SCORES = "scores = np.zeros((len(Q), len(K)))"
ASK = "W_q = 20 * one_hot[wants]"
CROSS = "return softmax(Q @ K.T / np.sqrt(Q.shape[-1])) @ V"

EQUIVALENT = {
    "03-swapped-index": {
        f"{SCORES} => {SCORES.replace('(Q)', '(-Q)')}": "a sign changes no length",
        f"{SCORES} => {SCORES.replace('(K)', '(-K)')}": "a sign changes no length",
        f"{SCORES} => {SCORES.replace('(K)', '(V)')}": "there is one value for each key",
        "for i in range(len(Q)): => for i in range(len(scores)):": "scores has a row a query",
        "for i in range(len(Q)): => for i in range(len(-Q)):": "a sign changes no length",
        "for j in range(len(K)): => for j in range(len(V)):": "there is one value for each key",
        "for j in range(len(K)): => for j in range(len(-K)):": "a sign changes no length",
        f"{SCORE} => {SCORE.replace('Q[i] @ K[j]', 'K[j] @ Q[i]')}": "a dot product commutes",
        f"{SCORE} => {SCORE.replace('[1]', '[-1]')}": "the last of two axes is axis 1",
        f"{SCORE} => {SCORE.replace('Q.shape', 'K.shape')}": "queries and keys share d_k",
        f"{SCORE} => {SCORE.replace('Q.shape', '(-Q).shape')}": "a sign changes no shape",
    },
    "03-design": {
        f"{ASK} => {ASK.replace('20', '21')}": "any factor that is large enough will do",
        f"{ASK} => {ASK.replace('20', '40')}": "any factor that is large enough will do",
        f"{ASK} => {ASK.replace('one_hot', 'one_hot.swapaxes(-1, -2)')}": "it is symmetric",
        "W_k = one_hot => W_k = one_hot.swapaxes(-1, -2)": "the identity is symmetric",
        "return (W_q, W_k) => return (W_q, W_k.swapaxes(-1, -2))": "the identity is symmetric",
        "return (W_q, W_k) => return (W_q, one_hot)": "W_k is one_hot",
        "one_hot = np.eye(len(wants)) => one_hot = np.eye(len(-wants))": "the same length",
    },
    "03-cross-attention": {
        f"{CROSS} => {CROSS.replace('[-1]', '[1]')}": "the last of two axes is axis 1",
        f"{CROSS} => {CROSS.replace('[-1]', '[--1]')}": "the last of two axes is axis 1",
        f"{CROSS} => {CROSS.replace('Q.shape', 'K.shape')}": "queries and keys share d_k",
        f"{CROSS} => {CROSS.replace('Q.shape', 'W_k.shape')}": "keys have the columns of W_k",
        f"{CROSS} => {CROSS.replace('Q.shape', 'W_q.shape')}": "queries have the columns of W_q",
        f"{CROSS} => {CROSS.replace('Q.shape', '(-Q).shape')}": "a sign changes no shape",
    },
}
